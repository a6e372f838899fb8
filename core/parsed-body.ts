const bodies = new WeakSet<object>()

/** Notes that a body is not the one that was sent: a parser had read that, and an adapter has serialized its result. */
export function noteParsedBody<Body extends object>(body: Body): Body {
  bodies.add(body)
  return body
}

/**
 * Whether the bytes of a request's body as they were sent are gone: a parser or another middleware has read them before. To be
 * asked before the body is read.
 */
export function wasBodyRead({ body, bodyUsed }: Pick<Request, 'body' | 'bodyUsed'>): boolean {
  return bodyUsed === true || (typeof body === 'object' && body !== null && bodies.has(body))
}
