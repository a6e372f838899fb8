/** Tests of kind `required` and `optimal` that fail for a reason, by that reason. */
export const exceptions: Record<string, readonly string[]> = {
  'RFC 9111, section 5.1: of several ages the first counts, and what is no number is ignored': [
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
  'No cache can: when the origin hangs up, an error of the cache’s own counts as stored (hence depends_on stale-close)':
    ['stale-close-must-revalidate', 'stale-close-proxy-revalidate', 'stale-close-no-cache', 'stale-close-s-maxage=2'],
  'Set-Cookie is never stored: one visitor’s cookie is not another’s': [
    'headers-store-Set-Cookie',
    '304-etag-update-response-Set-Cookie',
    'other-set-cookie',
  ],
  'RFC 9111, section 4.3.4: a 304 with another strong ETag updates nothing; the page is asked for again': [
    '304-etag-update-response-ETag',
  ],
  'RFC 9111, section 4.3.2: without Last-Modified the Date counts, and it is later than the one asked about': [
    'conditional-lm-fresh-no-lm',
  ],
  'Surrogate-Control is read as RFC 9213 reads targeted fields: keys in lower case, and no targets as parameters': [
    'surrogate-fresh-cc-nostore',
    'surrogate-max-age-me-target',
    'surrogate-max-age-case-insensitive',
  ],
  'Parts of pages are not stored, but passed on': [
    'partial-store-partial-reuse-partial',
    'partial-store-partial-reuse-partial-byterange',
    'partial-store-partial-reuse-partial-absent',
    'partial-store-partial-reuse-partial-suffix',
    'partial-store-partial-complete',
  ],
  'Answers to POST are not stored': ['method-POST'],
  'Which language suits is the handler’s to say: RFC 9111, section 4.1 asks for no more than the same wish': [
    'vary-normalise-lang-order',
    'vary-normalise-lang-select',
  ],
}

/** What the defaults leave to the site, besides. */
export const exceptionsByDefault: Record<string, readonly string[]> = {
  'Default of `targets`: Surrogate-Control, which no RFC knows, is for the CDN in front': [
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
  ],
  'Default of `heuristic`: without a lifetime nothing is fresh': [
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
