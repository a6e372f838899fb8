import type { StoredResponse } from '../store/entry.js'

/** Creates a stored response for tests of stores. */
export function createTestResponse(fields: Partial<StoredResponse> = {}): StoredResponse {
  return {
    kind: 'response',
    stamp: { epoch: '', sequence: 0 },
    tags: [],
    status: 200,
    statusText: '',
    headers: [],
    body: new Uint8Array(),
    initialAge: 0,
    lifetime: 60,
    staleWhileRevalidate: 0,
    staleIfError: 0,
    mustRevalidate: false,
    hasGeneratedEtag: false,
    ttl: 60,
    ...fields,
  }
}
