/** Whether a response of a status has no body, so that a web `Response` rejects one (Fetch, "null body status"). */
export function hasNullBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}
