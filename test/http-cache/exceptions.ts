/** Tests of kind `required` and `optimal` that fail for a reason, by that reason. */
export const exceptions: Record<string, readonly string[]> = {
  'RFC 9111, section 5.1: of several ages the first counts, and an invalid one is ignored': [
    'age-parse-nonnumeric',
    'age-parse-negative',
    'age-parse-float',
    'age-parse-prefix-twoline',
    'age-parse-dup-0',
    'age-parse-dup-0-twoline',
    'age-parse-dup-old',
    'age-parse-parameter',
    'age-parse-numeric-parameter',
  ],
  'Impossible for any cache: when the origin closes the connection, the suite takes the cache’s own error for a stored response (hence depends_on stale-close)':
    ['stale-close-must-revalidate', 'stale-close-proxy-revalidate', 'stale-close-no-cache', 'stale-close-s-maxage=2'],
  'Set-Cookie is never stored, since the cookie of one visitor must not reach another': [
    'headers-store-Set-Cookie',
    '304-etag-update-response-Set-Cookie',
    'other-set-cookie',
  ],
  'RFC 9111, section 4.3.2: without Last-Modified the Date counts, which is later than the date of the request': [
    'conditional-lm-fresh-no-lm',
  ],
  'Surrogate-Control is parsed as a targeted field of RFC 9213: keys in lower case': [
    'surrogate-max-age-case-insensitive',
  ],
  'Partial responses are passed on without being stored': [
    'partial-store-partial-reuse-partial',
    'partial-store-partial-reuse-partial-byterange',
    'partial-store-partial-reuse-partial-absent',
    'partial-store-partial-reuse-partial-suffix',
    'partial-store-partial-complete',
  ],
  'Responses to POST are not stored': ['method-POST'],
  'White space within a field of unknown syntax may mean something: RFC 9111, section 4.1 allows, and does not require':
    ['vary-normalise-space'],
  'Letter case of languages is kept, since handlers look for `de-DE` by name, and one client must not poison another': [
    'vary-normalise-lang-case',
  ],
  'Choosing a language is up to the handler: RFC 9111, section 4.1 requires equal fields only': [
    'vary-normalise-lang-order',
    'vary-normalise-lang-select',
  ],
}

/** Further tests that fail with the default options. */
export const exceptionsByDefault: Record<string, readonly string[]> = {
  'Default of `storeErrors`: after an error that may be due to the client, the next one is asked for without his fields first':
    ['status-404-stale', 'status-410-stale'],
  'Default of `targets`: Surrogate-Control is not standardized, and meant for the CDN in front': [
    'surrogate-max-age',
    'surrogate-max-age-max',
    'surrogate-max-age-max-plus',
    'surrogate-max-age-extension',
    'surrogate-max-age-expires',
    'surrogate-max-age-cc-max-age-invalid-expires',
    'surrogate-max-age-0-expires',
    'surrogate-max-age-short-cc-max-age',
    'surrogate-max-age-long-cc-max-age',
    'surrogate-no-store-cc-fresh',
    'surrogate-fresh-cc-nostore',
    'surrogate-max-age-me-target',
  ],
  'Default of `storeErrors`: an error to a request with fields of its own, as those of this suite, is not stored for others':
    [
      'status-400-fresh',
      'status-404-fresh',
      'status-410-fresh',
      'status-499-fresh',
      'status-500-fresh',
      'status-502-fresh',
      'status-503-fresh',
      'status-504-fresh',
      'status-599-fresh',
    ],
  'Default of `heuristic`: nothing is fresh without a lifetime': [
    'heuristic-200-cached',
    'heuristic-203-cached',
    'heuristic-204-cached',
    'heuristic-404-cached',
    'heuristic-405-cached',
    'heuristic-410-cached',
    'heuristic-414-cached',
    'heuristic-501-cached',
    'heuristic-599-cached',
  ],
}
