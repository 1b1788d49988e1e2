"""A procedure's input in the OpenAPI document."""

from typing import Any
from uuid import UUID

from pydantic import Field

from assent.api.procedure_schema import describe_input, list_definitions, wire_path
from assent.plugins.api import Context, PageQuery, Plugin, Value
from assent.plugins.procedure import Procedure


class Detail(Value):
    text: str


class SheetQuery(PageQuery):
    book_id: UUID
    owner_id: UUID | None = Field(None, description="Only theirs.")


class SheetRef(Value):
    book_id: UUID
    sheet_id: UUID


class SheetChange(SheetRef):
    new_title: str
    detail: Detail | None = None


class Loose(SheetRef):
    new_title: str = ""


def declare(effect: Any, route: str, input_type: type[Value]) -> Procedure[Any, Any]:
    plugin = Plugin("books", title="Books", rules=["books.sheet.manage"])

    async def handle(ctx: Context, given: Value) -> None: ...

    handle.__annotations__["given"] = input_type
    return plugin.procedure(rule="books.sheet.manage", effect=effect, route=route)(handle)


def test_fields_of_the_path_are_camel_case_on_the_wire() -> None:
    procedure = declare("mutate", "PATCH /books/{book_id}/sheets/{sheet_id}", SheetChange)
    assert wire_path(procedure) == "/books/{bookId}/sheets/{sheetId}"


def test_a_query() -> None:
    described = describe_input(declare("read", "GET /books/{book_id}/sheets", SheetQuery))
    parameters = {one["name"]: one for one in described["parameters"]}
    assert "requestBody" not in described
    assert {name: (one["in"], one["required"]) for name, one in parameters.items()} == {
        "bookId": ("path", True),
        "cursor": ("query", False),
        "limit": ("query", False),
        "ownerId": ("query", False),
    }
    assert parameters["ownerId"]["schema"] == {"type": "string", "format": "uuid"}
    assert parameters["ownerId"]["description"] == "Only theirs."
    assert parameters["limit"]["schema"]["maximum"] == 200


def test_a_body() -> None:
    procedure = declare("mutate", "PATCH /books/{book_id}/sheets/{sheet_id}", SheetChange)
    described = describe_input(procedure)
    assert [one["name"] for one in described["parameters"]] == ["bookId", "sheetId"]
    assert described["requestBody"]["required"] is True
    body = described["requestBody"]["content"]["application/json"]["schema"]
    assert list(body["properties"]) == ["newTitle", "detail"]
    assert body["required"] == ["newTitle"]
    assert body["additionalProperties"] is False
    assert "$defs" not in body
    assert {"$ref": "#/components/schemas/Detail"} in body["properties"]["detail"]["anyOf"]
    assert list(list_definitions(procedure)) == ["Detail"]


def test_a_body_that_may_be_left_out() -> None:
    described = describe_input(declare("mutate", "PUT /x/{book_id}/{sheet_id}", Loose))
    assert described["requestBody"]["required"] is False


def test_no_body() -> None:
    described = describe_input(declare("destructive", "DELETE /x/{book_id}/{sheet_id}", SheetRef))
    assert list(described) == ["parameters"]
