"""Runs scim2-tester against a burgee-server with a store of its own. Exits with 1 if a check fails."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from httpx2 import Client, RequestError
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

SERVER = Path(__file__).parents[2] / "packages" / "server" / "dist" / "main.js"
PORT = int(os.environ.get("PORT", "3996"))
# Known failure: a person is always active or not, so removing the value has no effect.
EXPECTED = ["PATCH modify() did not remove attribute 'active'"]
URL = f"http://127.0.0.1:{PORT}"


def command(directory: str, *arguments: str) -> str:
    """Runs a command of burgee-server on the store, and returns its output."""
    shown = subprocess.run(
        ["node", SERVER, *arguments, "--store", f"file:{directory}"], check=True, capture_output=True, text=True
    )
    return shown.stdout


def wait_until_ready(client: Client) -> None:
    for _ in range(100):
        try:
            if client.get(f"{URL}/readyz").status_code < 500:
                return
        except RequestError:
            pass
        time.sleep(0.1)
    raise SystemExit("the server did not start")


def check(token: str) -> int:
    with Client(base_url=f"{URL}/scim/v2", headers={"Authorization": f"Bearer {token}"}) as http:
        wait_until_ready(http)
        results = check_server(SyncSCIMClient(http))
    failures = [result for result in results if result.status not in (Status.SUCCESS, Status.SKIPPED)]
    for result in results if "-v" in sys.argv else failures:
        print(f"{result.status.name} {result.title}: {result.reason}")
    counts = Counter(result.status.name for result in results)
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return 0 if [result.reason for result in failures] == EXPECTED else 1


def main() -> int:
    directory = tempfile.mkdtemp()
    # The tester deletes the users that it creates, and one person has to remain.
    command(directory, "users", "add", "keeper@example.com", "--role", "organization_owner")
    token = re.search(r"burgee_scim_\S+", command(directory, "scim-tokens", "create", "tester"))
    server = subprocess.Popen(
        ["node", SERVER, "--store", f"file:{directory}", "--port", str(PORT), "--log-level", "error"],
        stdout=subprocess.DEVNULL,
    )
    try:
        return check(token.group())
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
        shutil.rmtree(directory)


if __name__ == "__main__":
    sys.exit(main())
