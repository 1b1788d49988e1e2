"""The command `http` of shell scripts: one request, asked of Assent.

Usage: http [-X METHOD] [-H 'Name: value']... [-d BODY] [-i] URL

Prints the body; with -i the status and headers before it. With -d the method is POST unless -X says
otherwise. Ends with 22 for a status from 400 on, with 7 if nothing was reached.
"""

import argparse
import sys

from assent_script import Channel, Http, HttpError

NOTHING_REACHED, REFUSED = 7, 22
REFUSED_FROM = 400


def main() -> int:
    parser = argparse.ArgumentParser(prog="http", description="One request, asked of Assent.")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-H", dest="headers", action="append", default=[], help="'Name: value'")
    parser.add_argument("-d", dest="body", default="")
    parser.add_argument("-i", dest="shows_head", action="store_true")
    parser.add_argument("url")
    asked = parser.parse_args()
    pairs = (one.partition(":") for one in asked.headers)
    headers = {name.strip(): value.strip() for name, _, value in pairs}
    method = asked.method or ("POST" if asked.body else "GET")
    try:
        response = Http(Channel()).request(method, asked.url, headers, asked.body)
    except HttpError as error:
        sys.stderr.write(f"http: {error}\n")
        return NOTHING_REACHED
    if asked.shows_head:
        head = [f"{response.status} {response.reason}"]
        head += [f"{name}: {value}" for name, value in response.headers.items()]
        sys.stdout.write("\n".join(head) + "\n\n")
        sys.stdout.flush()
    sys.stdout.buffer.write(response.body)
    return REFUSED if response.status >= REFUSED_FROM else 0


if __name__ == "__main__":
    sys.exit(main())
