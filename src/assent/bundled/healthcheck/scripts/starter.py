"""Scripts to begin with; each passes its own test."""

PYTHON = """from assent_script import Script


def run(script: Script) -> dict:
    url = script.config.get("url")
    if url is None:
        return {"ok": True, "message": "Set `url` in the configuration to probe something."}
    response = script.http.get(url)
    return {
        "ok": response.status == 200,
        "message": f"{url} answered {response.status}",
        "value": response.seconds,
    }
"""

SHELL = """if [ -z "$CONFIG_URL" ]; then
    echo '{"ok": true, "message": "Set url in the configuration to probe something."}'
    exit 0
fi
http "$CONFIG_URL" > /tmp/body || exit 1
echo "{\\"ok\\": true, \\"value\\": $(wc -c < /tmp/body)}"
"""
