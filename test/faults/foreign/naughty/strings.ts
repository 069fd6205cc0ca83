const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));

/** Text that has broken programs, by kind. Lone surrogates, which UTF-8 cannot encode, are sent as JSON escapes. */
export const NAUGHTY: Readonly<Record<string, readonly string[]>> = {
  'control characters': [...from(0x00, 0x1f), ...from(0x7f, 0x9f)].map((mark) => `a${mark}b`),
  // prettier-ignore
  'line breaks and blanks': [
    ' x', 'x ', '  x  ', 'x  y', '\xA0x', 'x y', 'x　', '\u2028x', 'x\u2029', 'x\r\nSet-Cookie: a=b', 'x	y',
    'x\n', '', ' ', '\xA0', '​', '​‌‍', '⁠', '﻿', 'ㅤ', 'ᅟ', '⠀', '᠎', '͏', '­',
  ],
  // prettier-ignore
  'what cannot be seen': [
    'a\u200bb', 'a\u200cb', 'a\u200db', 'a\u2060b', '\ufeffa', 'a\ufeff', 'a\u00adb', 'a\u{e0061}\u{e007f}',
    'a\ufe0f', 'a\u{e0100}', '\u2063a', 'a\ufffc', 'a\ufffd',
  ],
  // prettier-ignore
  directions: [
    '\u202eabc', '\u202dabc\u202c', '\u2066abc\u2069', '\u2067abc', '\u200fabc', 'abc\u061c', 'שלום',
    'مرحبا abc', '\u202egnp.exe', '‮‮‮a', 'الكل في المجمو عة', 'אב\u05b0ג',
  ],
  // prettier-ignore
  'combining characters': [
    'e\u0301', '\u0301', 'e\u0301\u0302\u0303', `Z${'\u0334\u0321\u035b'.repeat(40)}`, 'ÅÅÅ', '한국어', '각',
    'ﬀ', 'ệ', 'n\u0303', 'क्षि', 'ก็็็็็', '𝐱', 'ℌ',
  ],
  // prettier-ignore
  'letters that change with case': [
    'ß', 'ẞ', 'İ', 'ı', 'I', 'ﬁ', 'ǅ', 'Σας', 'ŉ', 'ΰ', 'ﬃ', 'K', 'Å', 'ſ', 'ⅷ',
  ],
  emoji: ['🐶', '👩‍👩‍👧‍👦', '🏳️‍🌈', '🇨🇦', '🇨', '👍🏿', '1️⃣', '🐕‍🦺', '\u{1f9ff}', '\u{1fae8}', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️', '☺︎'],
  // prettier-ignore
  'edges of Unicode': [
    '\ud7ff', '\ue000', '\uf8ff', '\ufdd0', '\ufffe', '\uffff', '\u{10000}', '\u{1ffff}', '\u{f0000}',
    '\u{10fffd}', '\u{10ffff}', '\u0378', '𠜎', '㐀', '𪛖',
  ],
  'halves of pairs': ['\ud800', '\udfff', 'a\ud83d', '\udc36a', '\udc36\ud83d', 'a\ud800b\udc00'],
  lengths: [
    'x'.repeat(255),
    'x'.repeat(256),
    '🐶'.repeat(255),
    '🐶'.repeat(256),
    '日'.repeat(255),
    'é'.repeat(256),
    'x'.repeat(5_000),
    '\u0301'.repeat(254) + 'x',
    'ﷺ'.repeat(255),
  ],
  // prettier-ignore
  SQL: [
    "'", "''", '"', '`', '\\', "\\'", "'--", "' OR '1'='1", "'; DROP TABLE pets; --", '" OR ""="',
    "') OR ('1'='1", "1' AND SLEEP(5)#", '/*', '*/', '/*!50000 x*/', '--', '#', ';', '%', '_', '%_%', '\\%',
    '?', ':name', '@x', '$1', "x' || 'y", '0x27', 'CHAR(39)', 'ʼ OR 1=1', "¿\\'", 'NULL', "N'x'",
    "_utf8mb4'x'", '\\Z', '\\0',
  ],
  // prettier-ignore
  markup: [
    '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "javascript:alert('x')", '<!--', ']]>',
    '<![CDATA[', '<?xml version="1.0"?>', '&lt;', '&#x27;', '&amp;amp;',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', '</title>', '<svg/onload=x>',
  ],
  // prettier-ignore
  'templates and formats': [
    '${7*7}', '{{7*7}}', '#{7*7}', '<%= 7*7 %>', '{%x%}', '$(id)', '`id`', '%s%s%s%n', '%d', '%x%08x', '%%',
    '{0}', '{}', '%(name)s', '$name', '${jndi:ldap://127.0.0.1/a}', '*{7}', '@(7)', '[[${7}]]', '~{x}',
  ],
  // prettier-ignore
  'paths and commands': [
    '../../../etc/passwd', '..\\..\\x', '/etc/passwd%00', 'C:\\CON', 'file:///etc/passwd', '\\\\host\\share',
    '~', '.', '..', '...', '/dev/null', 'nul', 'aux', 'x;id', '|id', '&& id', '>x', '-rf', '--help', '*',
    '%2e%2e%2f', 'x\\u0000', '%00', '%0d%0aX: y',
  ],
  // prettier-ignore
  spreadsheets: [
    '=1+1', '+1', '-1', '@SUM(A1)', "=cmd|' /C calc'!A0", '＝1', '＋1', '\t=1', 'a,b', 'a;b', '"a""b"', '|',
  ],
  // prettier-ignore
  'words that mean something': [
    'null', 'undefined', 'NaN', 'Infinity', 'true', 'false', 'None', 'nil', '[object Object]', '__proto__',
    'constructor', 'toString', 'hasOwnProperty', 'prototype', 'then', 'admin', 'root', 'id', 'status', '-0',
    '0', '1e309', '0x1', '1/0', '２', '٣', '1,000', '1_000', '{"a":1}', '[]', '"', '\\u0041', '\\x41',
  ],
  // prettier-ignore
  patterns: [
    '(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '[', '(', '*', '\\', '.*', '(?<x>', `${'a'.repeat(200)}!`,
    '\\p{L}', '$&', '$1', "$'", '\\1',
  ],
};
