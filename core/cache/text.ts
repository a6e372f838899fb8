import { findHeader } from '../http/headers.js'
import type { StoredResponse } from './entry.js'

const largestText = 64 * 1024
const textTypes = /^(?:text\/|application\/(?:json|javascript|xml|[\w.+-]+\+(?:json|xml))|image\/svg)/i

/** Whether a body is sent as a string: that is quickest for short text, since some servers send it without a stream. */
export function isText({ body, headers }: Pick<StoredResponse, 'body' | 'headers'>): boolean {
  if (body.length > largestText || findHeader(headers, 'content-encoding') !== undefined) return false
  return textTypes.test(findHeader(headers, 'content-type') ?? '')
}
