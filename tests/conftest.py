"""How long hypothesis searches: `HYPOTHESIS_PROFILE=fuzz` (make fuzz) for long."""

import os

from hypothesis import settings

# no deadline: a busy machine is not a failure; the same examples each time in CI
settings.register_profile("test", deadline=None, derandomize="CI" in os.environ)
settings.register_profile("fuzz", deadline=None, max_examples=2_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))
