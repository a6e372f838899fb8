import type { StoredVary } from '../../store/entry.js'
import { omittedInBackground } from '../origin-request.js'

/** A request, and what is known of the fields that its response varies by. */
export interface Received {
  request: Pick<Request, 'headers'>
  vary: StoredVary | undefined
}

// Fields that differ between ordinary clients, and that handlers hardly fail for while they are short; and those that CDNs add.
const ordinaryFields =
  /^(?:accept(?:-.*)?|cache-control|connection|dnt|forwarded|host|if-.*|pragma|priority|range|referer|sec-.*|te|trace.*|upgrade-insecure-requests|user-agent|via|x-forwarded-.*|x-real-ip|x-request-id|cdn-loop|cf-.*|fastly-.*|fly-.*|true-client-ip|x-amz.*|x-azure-.*|x-cloud-trace-context|x-nf-.*|x-vercel-.*)$/
const maxOrdinaryLength = 512

/** The fields that the handler receives and that an error may be due to, as text. */
export function clientOf(received: Received, isBackground: boolean): string {
  return describeClient(received.request.headers, omittedFields(received, isBackground))
}

function omittedFields({ vary }: Received, isBackground: boolean): readonly string[] {
  return isBackground ? omittedInBackground(vary?.names ?? []) : []
}

/**
 * Returns the fields of a request that an error may be due to, as text.
 *
 * @param omitted Fields that the handler does not receive.
 */
export function describeClient(headers: Headers, omitted: readonly string[] = []): string {
  return JSON.stringify(unusualFields(headers, omitted))
}

/** Whether a request has any field that an error may be due to. */
export function hasUnusualFields(headers: Headers): boolean {
  return unusualFields(headers, []).length > 0
}

function unusualFields(headers: Headers, omitted: readonly string[]): [name: string, value: string][] {
  const isUnusual = ([name, value]: [string, string]) => !ordinaryFields.test(name) || value.length > maxOrdinaryLength
  return [...headers].filter((field) => isUnusual(field) && !omitted.includes(field[0]))
}
