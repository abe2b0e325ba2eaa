"""Who may do what: pure rules of profiles, permission sets and levels of sharing."""
