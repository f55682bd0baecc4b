"""Constants for generated expressions, by type, and texts by the function that reads them.

Owns the pools: usual values, the ends of ranges, and what is not quite right.
"""

from __future__ import annotations

# The names that generated devices publish, in the domain DOMAIN or not at all.
DOMAIN = "gpu.example.com"
DOMAINS = (DOMAIN, DOMAIN, DOMAIN, "other.example.com", "nowhere.example.com")
ATTRIBUTES = (
    *("model", "count", "healthy", "driverVersion", "zero", "largest", "negative", "empty", "unicode", "maybe"),
    *("counts", "names", "flags", "versions", "nothing", "version", "ip", "since"),
)
CAPACITIES = ("memory", "memory", "cores", "fraction", "none", "nothing")

INTS = (
    "0",
    "1",
    "2",
    "3",
    "7",
    "-1",
    "10",
    "0x10",
    "100",
    "-7",
    "3600",
    "9223372036854775807",
    "-9223372036854775808",
    "google.protobuf.NullValue.NULL_VALUE",
)
LITERALS: dict[str, tuple[str, ...]] = {
    "int": INTS,
    "uint": ("0u", "1u", "2u", "7u", "100u", "0xFFu", "18446744073709551615u"),
    "double": ("0.0", "1.0", "1.5", "7.0", "-2.5", "-0.0", "1e3", "1e300", "0.1", "9223372036854775807.0", "1e-7"),
    "bool": ("true", "false"),
    "bytes": ("b'a'", "b''", "b'\\xff'", "b'A100'", "b'é'"),
    "null_type": ("null",),
    "type": (
        *("int", "string", "bool", "list", "map", "double", "uint", "bytes", "null_type", "type", "optional_type"),
        *("google.protobuf.Timestamp", "google.protobuf.Duration", "google.protobuf.Empty", "google.protobuf.Value"),
        *("google.protobuf.Struct.FieldsEntry", "google.protobuf.Int64Value", "kubernetes.DRADevice", "net.IP"),
    ),
}

TEXTS = (
    *("''", "'a'", "'A100'", "'H100-80GB'", "'NVIDIA A100'", "'model'", "'count'", "'1'", "'7'", "'true'", "'1.5'"),
    *("'80Gi'", "'1.2.3'", "'a,b,c'", "'héllo'", "'日本語'", "'a\\nb'", "'\\U0001F600'", '"it\'s"', "r'\\d'", "' x '"),
    *("'gpu.example.com'", "'10.0.0.1'", "'abc'", "'ab'", "'b'", "'Ä'", "'-7'"),
    *("url('https://h/?q=a%ff').getQuery()['q'][0]", "url('https://h/?q=%c3').getQuery()['q'][0]"),
)
REGEXES = (
    *("'^A'", "'[0-9]+'", "'A|H'", "'.*'", "''", "'('", "'['", "'(a)(b)'", "'^A100$'", "'a{2,1}'", "'\\\\d{3}'"),
    *("'(?i)a100'", "'\\\\C'", "'\\\\pL+'", "'[[:alpha:]]'", "'x*'", "'(?P<n>a)'", "'a**'", "'\\\\b1'", "'(?=a)'"),
)
QUANTITIES = (
    *("'80Gi'", "'40G'", "'1'", "'0'", "'1500m'", "'-5'", "'1e3'", "'0.1'", "'1Ki'", "'100k'", "'5n'", "'1.5Gi'"),
    *("'9223372036854775807'", "'99999999999999999999'", "'1E'", "'8Ei'", "''", "'80GB'", "'1 Gi'", "'.5'", "'+1'"),
)
VERSIONS = (
    *("'1.2.3'", "'2.0.0'", "'2.0.0-rc.1'", "'1.2.3+build.5'", "'535.104.5'", "'0.0.0'", "'18446744073709551615.0.0'"),
    *("'1.2'", "'v1.2.3'", "'01.2.3'", "'x'", "''", "'1.2.3-01'", "'1.2.3-a.b-c.9'"),
)
DURATIONS = (
    *("'1s'", "'1h30m'", "'-5m'", "'0s'", "'1.5s'", "'100ms'", "'1us'", "'1ns'", "'24h'", "'1d'", "'x'", "'1'", "''"),
    *("'2562047h'", "'9999999h'", "'-0.5s'"),
)
TIMESTAMPS = (
    *("'2026-11-30T00:00:00Z'", "'2024-02-29T23:59:59.123456789Z'", "'2000-01-01T00:00:00+02:00'"),
    *("'1970-01-01T00:00:00Z'", "'0001-01-01T00:00:00Z'", "'9999-12-31T23:59:59Z'", "'10000-01-01T00:00:00Z'"),
    *("'2026-02-30T00:00:00Z'", "'2026-11-30'", "'x'", "'2026-11-30T00:00:00'", "'2026-11-30t00:00:00z'"),
)
ZONES = ("'UTC'", "'America/New_York'", "'Europe/Berlin'", "'+02:00'", "'-08:30'", "'02:00'", "'Nowhere/Land'", "''")
ADDRESSES = (
    *("'10.0.0.1'", "'127.0.0.1'", "'::1'", "'2001:db8::1'", "'fe80::1'", "'224.0.0.1'", "'0.0.0.0'", "'::'"),
    *("'::ffff:10.0.0.1'", "'10.0.0.256'", "'10.0.0'", "'fe80::1%eth0'", "'2001:DB8::1'", "'ff02::1'", "'x'", "''"),
    *("'010.0.0.1'", "'255.255.255.255'", "'169.254.1.1'"),
)
RANGES = (
    *("'10.0.0.0/8'", "'10.0.0.1/24'", "'192.168.0.0/16'", "'2001:db8::/32'", "'::/0'", "'0.0.0.0/0'", "'10.0.0.1/32'"),
    *("'10.0.0.0/33'", "'10.0.0.0'", "'::ffff:10.0.0.0/104'", "'x/8'", "''", "'10.0.0.0/08'"),
)
ADDRESSES_IN_THE_WEB = (
    *("'https://example.com:80/a/b?k=v&k=w&e='", "'http://user@[::1]:8080/'", "'/a/b'", "'https://example.com'"),
    *("'mailto:a@b.c'", "'https://a b.c'", "'://x'", "''", "'https://example.com/%zz'", "'ftp://h/%20x#f'", "'a'"),
)
FORMATS = (
    *("'%s'", "'%d'", "'%.2f'", "'%x'", "'%X'", "'%o'", "'%b'", "'%e'", "'%s and %s'", "'%d%%'", "'%'", "'%q'"),
    *("'%f'", "'%.3e'", "'no clause'", "'%s %d %x'", "'%.s'", "'é%s'"),
)
FORMAT_NAMES = (
    *("'dns1123Label'", "'dns1123Subdomain'", "'uuid'", "'qualifiedName'", "'labelValue'", "'date'", "'datetime'"),
    *("'byte'", "'uri'", "'dns1035Label'", "'dns1123LabelPrefix'", "'dns1035LabelPrefix'", "'nothing'"),
)
FORMATTED = (
    *("'abc'", "'ABC'", "'a.b'", "'-a'", "'a-'", "'example.com/name'", "'2026-11-30'", "'2026-11-30T00:00:00Z'"),
    *("'123e4567-e89b-12d3-a456-426614174000'", "'aGVsbG8='", "'https://example.com/'", "'9a'", "''", "'a_b'"),
)

# What a string argument (the receiver, when the name says so) of a function is mostly taken from.
TEXTS_OF_FUNCTION: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("quantity", "isQuantity"), QUANTITIES),
    **dict.fromkeys(("semver", "isSemver"), VERSIONS),
    **dict.fromkeys(("matches", "find", "findAll"), REGEXES),
    **dict.fromkeys(("ip", "isIP", "ip.isCanonical", "containsIP"), ADDRESSES),
    **dict.fromkeys(("cidr", "isCIDR", "containsCIDR"), RANGES),
    **dict.fromkeys(("url", "isURL"), ADDRESSES_IN_THE_WEB),
    **dict.fromkeys(
        (
            *("getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth", "getDate", "getDayOfWeek"),
            *("getHours", "getMinutes", "getSeconds", "getMilliseconds"),
        ),
        ZONES,
    ),
    "duration": DURATIONS,
    "timestamp": TIMESTAMPS,
    "format.named": FORMAT_NAMES,
    "validate": FORMATTED,
    "bool": ("'true'", "'false'", "'t'", "'1'", "'True'", "'yes'", "''"),
    "int": ("'1'", "'-7'", "'+5'", "'9223372036854775808'", "'1.0'", "'x'", "''", "'0x10'", "'007'", "'1_000'"),
    "uint": ("'1'", "'-7'", "'18446744073709551615'", "'18446744073709551616'", "''", "'07'"),
    "double": ("'1'", "'1.5'", "'NaN'", "'-inf'", "'1e400'", "'0x1p4'", "'1_0'", "'x'", "''", "'-0.0'"),
}
RECEIVERS_OF_FUNCTION: dict[str, tuple[str, ...]] = {
    "format": FORMATS,
    "split": ("'a,b,c'", "'a b'", "''", "'héllo'"),
    "join": (),
}
# What makes a value of a library's type, and how often with its second argument.
MAKERS = {
    "kubernetes.Quantity": ("quantity", 0.0),
    "kubernetes.Semver": ("semver", 0.3),
    "google.protobuf.Timestamp": ("timestamp", 0.0),
    "google.protobuf.Duration": ("duration", 0.0),
    "net.IP": ("ip", 0.0),
    "net.CIDR": ("cidr", 0.0),
    "kubernetes.URL": ("url", 0.0),
}
