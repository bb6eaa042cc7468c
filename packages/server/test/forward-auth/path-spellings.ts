/** Spellings that one program can take for /admin and another for a different path. Each must be refused, wherever it appears. */
export const unclearSpellings = [
  // Dot segments (RFC 3986 §5.2.4), plain and encoded.
  ...['/./admin', '/../admin', '/x/../admin', '/x/./../admin', '/admin/.', '/admin/..', '/x/..', '/.', '/..', '/x/../../admin'],
  ...['/%2e/admin', '/%2E/admin', '/%2e%2e/admin', '/.%2e/admin', '/%2e./admin', '/x/%2e%2e/admin', '/x/%2E%2E/admin', '/x/.%2E/admin'],
  ...['/x%2f..%2fadmin', '/x%2F..%2Fadmin', '/x/..%2fadmin', '/x%2f../admin', '/x%2F%2e%2e%2Fadmin', '/x%2f.%2e/admin', '/..%2fadmin'],
  ...['/...', '/x/.../admin', '/admin.', '/admin../x', '/admin.../x', '/admin%2e', '/admin%2e/x', '/x./admin', '/x%20/admin', '/admin%20'],
  ...['/admin%20/x', '/admin%20.', '/admin.%20', '/%20', '/%20/admin', '/.%20/admin', '/..%20/admin'],
  // Parameters of a segment (RFC 3986 §3.3), which Java servers remove.
  ...[
    '/admin;x',
    '/admin;x=y',
    '/;/admin',
    '/;x/admin',
    '/x/..;/admin',
    '/x/..;a=b/admin',
    '/x;/../admin',
    '/admin;',
    '/admin;/x',
    '/.;/admin',
  ],
  ...['/admin%3bx', '/admin%3B', '/%3b/admin', '/x/..%3b/admin', '/x/%2e%2e;/admin', '/x/%2e%2e%3b/admin', '/admin;.css', '/admin%3b.css'],
  // Backslashes, which browsers and Windows take for slashes.
  ...['/\\admin', '/x\\admin', '/x\\..\\admin', '/..\\admin', '/x/..\\admin', '/%5cadmin', '/%5Cadmin', '/x%5cadmin', '/x%5c..%5cadmin'],
  ...['/x/..%5cadmin', '/x/%2e%2e%5cadmin', '/%5c%5cadmin', '/\\\\admin', '/\\/admin', '/%5c/admin', '/admin\\', '/admin%5c'],
  // Control characters, above all NUL, where C programs stop reading.
  ...[
    '/admin%00',
    '/admin%00/x',
    '/x%00/admin',
    '/%00/admin',
    '/admin%00.css',
    '/admin%0a',
    '/admin%0d%0a',
    '/x%0aadmin',
    '/x%0d%0ahost:y',
  ],
  ...['/admin%09', '/%09admin', '/admin%7f', '/admin%1f', '/admin%01', '/%01/admin', '/x%01admin', '/admin%08', '/admin%1b', '/admin%0b'],
  ...['/admin%c2%80', '/admin%c2%85', '/admin%c2%9f', '/admin\0', '/admin\n', '/admin\r\nx', '/admin\t', '/\x7fadmin', '/admin\x01'],
  // Encoded twice.
  ...['/%2561dmin', '/%252e%252e/admin', '/x/%252e%252e/admin', '/x%252f..%252fadmin', '/x%252Fadmin', '/%255cadmin', '/admin%2500'],
  ...['/%25%36%31dmin', '/%2525', '/%25252e', '/x%25%32%66admin', '/%%361dmin', '/admin%253b', '/%253badmin', '/x/%2%65%2%65/admin'],
  // Not UTF-8: over-long forms, surrogates, incomplete sequences, code points beyond U+10FFFF.
  ...[
    '/%c0%afadmin',
    '/x%c0%afadmin',
    '/%c0%ae%c0%ae/admin',
    '/x/%c0%ae%c0%ae/admin',
    '/%c1%9cadmin',
    '/%e0%80%afadmin',
    '/%e0%80%ae/admin',
  ],
  ...['/%f0%80%80%afadmin', '/%f0%80%80%ae/admin', '/%f8%80%80%80%afadmin', '/%fc%80%80%80%80%af', '/%c1%a1dmin', '/%e0%81%a1dmin'],
  ...['/%ed%a0%80', '/%ed%bf%bf', '/%ed%a0%80%ed%b0%80', '/%80', '/%bf', '/%c3', '/%c3/admin', '/%e2%82', '/%ff', '/%fe', '/%f4%90%80%80'],
  ...['/%c0%80', '/admin%c0%80', '/%e9', '/caf%e9', '/%f5%80%80%80', '/%c3%28', '/%a0admin'],
  // A % that begins no encoded byte.
  ...[
    '/%',
    '/%zz',
    '/%4',
    '/%4/admin',
    '/admin%',
    '/%u0061dmin',
    '/%u002e%u002e/admin',
    '/%u2215admin',
    '/% 61',
    '/%-1',
    '/%6',
    '/%6G',
    '/100%',
  ],
  // An encoded ? or #, and a fragment, which no client sends.
  ...[
    '/admin%3fx',
    '/admin%3Fx=y',
    '/%3f/admin',
    '/admin%23',
    '/admin%23x',
    '/%23/admin',
    '/admin#x',
    '/admin#',
    '/#/admin',
    '/x#/../admin',
  ],
  // Characters that fold to ASCII ones, for example on Windows or under NFKC.
  ...[
    '/%ef%bc%8fadmin',
    '/x%ef%bc%8fadmin',
    '/%ef%bc%8e%ef%bc%8e/admin',
    '/%ef%bc%bcadmin',
    '/%e2%80%a4%e2%80%a4/admin',
    '/%e2%80%a5/admin',
  ],
  ...['/%e2%80%a6', '/%ef%bd%81dmin', '/%ef%bc%a1dmin', '/admin%ef%bc%9bx', '/%ef%bc%85%36%31dmin', '/%e2%84%aa', '/%c5%bf', '/adm%c4%b1n'],
  ...['/%e2%93%90dmin', '/%c2%aadmin', '/%f0%9d%90%9admin', '/admin%ef%bc%9fx', '/admin%ef%bc%83', '/%c2%a0admin', '/admin%e2%80%83'],
  // Characters whose upper or lower case is ASCII, alone or composed.
  ...['/adm%C4%B0n', '/admI%CC%87n', '/pa%C3%9F', '/pa%E1%BA%9E', '/%C7%B0', '/j%CC%8C', '/%C5%89', '/%EF%AC%81le', '/%E1%BA%9B'],
  // Characters that some programs drop, and spaces that they trim.
  ...['/adm%E2%80%8Bin', '/adm%C2%ADin', '/%EF%BB%BFadmin', '/admin%E2%80%8D', '/adm%E2%81%A0in', '/admin%EF%B8%8F', '/admin%E1%85%9F'],
  ...['/admin%E1%9A%80', '/admin%E2%80%A8', '/%E2%80%A9admin', '/admin%F3%A0%80%A1'],
  // Characters that look like slashes, or that Windows turns into slashes or backslashes in some code pages.
  ...['/x%E2%88%95admin', '/x%E2%81%84admin', '/x%E2%A7%B8admin', '/x%E2%88%96admin', '/x%C2%A5admin', '/x%E2%82%A9admin', '/x%CC%B8'],
  // Targets that no client sends.
  ...[
    '/caf\u00e9',
    '/\u00c3\u00a9',
    '/admin x',
    '/ admin',
    '/admin ',
    '',
    'admin',
    '*',
    'https://example.com/admin',
    '?x',
    '%2fadmin',
    '.',
    '//\\',
  ],
]
