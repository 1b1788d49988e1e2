"""Routes of procedures are shared by the applications of a process."""

from assent.api.procedures import build_procedure_router, describe_inputs
from assent.main import create_app, load_all_plugins
from assent.settings import Settings


def test_applications_share_their_routes() -> None:
    one, other = (build_procedure_router(load_all_plugins(Settings())) for _ in range(2))
    assert one.routes
    assert [id(route) for route in one.routes] == [id(route) for route in other.routes]


def test_each_describes_the_same_however_often() -> None:
    loaded = load_all_plugins(Settings())
    one, other = create_app(Settings(), loaded=loaded), create_app(Settings(), loaded=loaded)
    document = one.openapi()
    assert document["paths"]["/api/p/catalog/systems"]["post"]["requestBody"]
    describe_inputs(other.routes, loaded)
    assert other.openapi() == document
