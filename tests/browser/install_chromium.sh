#!/usr/bin/env bash
# Make Chromium available for the dashboard's test. Installs the Debian package where that is
# possible; where it is not, says so and ends well: the test then skips with its reason.
set -u

if command -v chromium >/dev/null; then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "browser test: no chromium, and no apt-get to install it with; the test will be skipped"
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "browser test: no chromium, and not root; run 'apt-get install chromium' to have the test"
  exit 0
fi
echo "browser test: installing the Debian package chromium"
if ! { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; } >/dev/null 2>&1; then
  echo "browser test: the package chromium could not be installed; the test will be skipped"
fi
