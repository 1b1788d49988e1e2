"""Print the OpenAPI document of the application with the plugins that are installed."""

import json
import sys

from assent.main import create_app
from assent.settings import Settings

json.dump(create_app(Settings()).openapi(), sys.stdout, indent=2)
