"""The tracker's tests: those of its rules need no site, all others have a small one."""

from tests.tracker.site import Answer, Site, site, site_image, vouched

__all__ = ["Answer", "Site", "site", "site_image", "vouched"]
