"""Time zones by the names that the vendor gives them: cities, and a few names of its own."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# Cities whose zones bear their names.
CITIES = {
    "Africa": "Algiers Cairo Casablanca Harare Monrovia Nairobi",
    "America": "Bogota Caracas Chihuahua Lima La_Paz Mazatlan Mexico_City Monterrey Montevideo "
    "Puerto_Rico Santiago Tijuana",
    "Asia": "Almaty Baghdad Baku Bangkok Dhaka Hong_Kong Irkutsk Jakarta Jerusalem Kabul "
    "Kamchatka Karachi Kathmandu Kolkata Krasnoyarsk Kuala_Lumpur Kuwait Magadan Muscat "
    "Novosibirsk Riyadh Seoul Singapore Srednekolymsk Taipei Tashkent Tbilisi Tehran Tokyo "
    "Ulaanbaatar Urumqi Vladivostok Yakutsk Yerevan",
    "Atlantic": "Azores",
    "Australia": "Adelaide Brisbane Darwin Hobart Melbourne Perth Sydney",
    "Europe": "Amsterdam Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest "
    "Copenhagen Dublin Helsinki Istanbul Kaliningrad Lisbon Ljubljana London Madrid Minsk "
    "Moscow Paris Prague Riga Rome Samara Sarajevo Skopje Sofia Stockholm Tallinn Vienna "
    "Vilnius Volgograd Warsaw Zagreb Zurich",
    "Pacific": "Auckland Fiji Guam Port_Moresby",
}
NAMED = {
    "UTC": "UTC",
    "Pacific Time (US & Canada)": "America/Los_Angeles",
    "Mountain Time (US & Canada)": "America/Denver",
    "Central Time (US & Canada)": "America/Chicago",
    "Eastern Time (US & Canada)": "America/New_York",
    "Atlantic Time (Canada)": "America/Halifax",
    "Newfoundland": "America/St_Johns",
    "Arizona": "America/Phoenix",
    "Indiana (East)": "America/Indiana/Indianapolis",
    "Saskatchewan": "America/Regina",
    "Central America": "America/Guatemala",
    "Brasilia": "America/Sao_Paulo",
    "Buenos Aires": "America/Argentina/Buenos_Aires",
    "Georgetown": "America/Guyana",
    "Greenland": "America/Godthab",
    "Alaska": "America/Juneau",
    "Hawaii": "Pacific/Honolulu",
    "Mid-Atlantic": "Atlantic/South_Georgia",
    "Cape Verde Is.": "Atlantic/Cape_Verde",
    "Kyiv": "Europe/Kiev",
    "Pretoria": "Africa/Johannesburg",
    "Ekaterinburg": "Asia/Yekaterinburg",
    "Sri Jayawardenepura": "Asia/Colombo",
    "Rangoon": "Asia/Rangoon",
    "Beijing": "Asia/Shanghai",
    "American Samoa": "Pacific/Pago_Pago",
    "Midway Island": "Pacific/Midway",
    "Samoa": "Pacific/Apia",
    "Nuku'alofa": "Pacific/Tongatapu",
    "Marshall Is.": "Pacific/Majuro",
    "Solomon Is.": "Pacific/Guadalcanal",
    "New Caledonia": "Pacific/Noumea",
    "Tokelau Is.": "Pacific/Fakaofo",
    "Chatham Is.": "Pacific/Chatham",
}
# Names of zones that have another name already: they are read, and shown under that one.
ALSO = {
    "International Date Line West": "Pacific/Midway",
    "Guadalajara": "America/Mexico_City",
    "Quito": "America/Lima",
    "Edinburgh": "Europe/London",
    "Bern": "Europe/Zurich",
    "West Central Africa": "Africa/Algiers",
    "St. Petersburg": "Europe/Moscow",
    "Abu Dhabi": "Asia/Muscat",
    "Islamabad": "Asia/Karachi",
    "Astana": "Asia/Dhaka",
    "Chennai": "Asia/Kolkata",
    "Mumbai": "Asia/Kolkata",
    "New Delhi": "Asia/Kolkata",
    "Hanoi": "Asia/Bangkok",
    "Chongqing": "Asia/Shanghai",
    "Osaka": "Asia/Tokyo",
    "Sapporo": "Asia/Tokyo",
    "Canberra": "Australia/Melbourne",
    "Wellington": "Pacific/Auckland",
}
_SHOWN = {
    **NAMED,
    **{
        city.replace("_", " "): f"{area}/{city}"
        for area, cities in CITIES.items()
        for city in cities.split()
    },
}
_NAMES = {zone: name for name, zone in _SHOWN.items()}


def zone_of(name: str) -> str | None:
    """Return the IANA name of a zone given by that or by the vendor's name, None for no zone."""
    known = _SHOWN.get(name) or ALSO.get(name)
    if known is not None:
        return known
    if "/" not in name:
        return None
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
    return name


def name_of(zone: str) -> str:
    """Return the vendor's name of a zone, its IANA name if it has none."""
    return _NAMES.get(zone, zone)


def all_names() -> dict[str, str]:
    """Return every name that the vendor has, and the zone that it stands for."""
    return {**_SHOWN, **ALSO}
