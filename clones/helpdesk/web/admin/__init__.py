"""Admin Center: the pages where admins set up the desk."""
