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
  'With `bypass: () => false` the handler does not receive Authorization, so that its response is for all': [
    'other-authorization',
    'other-authorization-public',
    'other-authorization-smaxage',
    'other-authorization-must-revalidate',
  ],
  'What is asked for each time is not stored: validators alone do not make it storable': [
    'cc-resp-no-cache-revalidate',
    'cc-resp-no-cache-revalidate-fresh',
  ],
  'Errors of the server are not stored': [
    'status-500-fresh',
    'status-502-fresh',
    'status-503-fresh',
    'status-504-fresh',
    'status-599-fresh',
  ],
  'Nothing is fresh without a lifetime: RFC 9111, section 4.2.2 allows heuristics, and does not require them': [
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

/** Further tests that fail with options. */
export const exceptionsWithOptions: Record<string, readonly string[]> = {
  'no-store in either of Cache-Control and a targeted field refuses, though RFC 9213 lets the targeted one decide': [
    'surrogate-fresh-cc-nostore',
  ],
}

/** Further tests that fail with the default options. */
export const exceptionsByDefault: Record<string, readonly string[]> = {
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
}
