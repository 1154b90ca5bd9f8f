"""The keys under which problems are marked: which variant an organisation gets, which canaries a release has."""

from api.core.settings import Settings
from protection.fingerprints import Fingerprints


def fingerprints(settings: Settings) -> Fingerprints:
    """As web process, worker and administration use them."""
    secrets = settings.secrets
    return Fingerprints(secrets.raw("fingerprint"), secrets.used_before("fingerprint"))
