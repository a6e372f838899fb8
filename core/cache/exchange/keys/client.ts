import { parseVary } from '../../../http/vary.js'
import type { StoredVary } from '../../store/entry.js'
import { anonymousHeaders, isOfClientAddress, type Received } from '../renders/anonymous-request.js'

// Fields that differ between ordinary clients, and that handlers hardly fail for while they are short; and those that CDNs add.
const ordinaryFields =
  /^(?:accept(?:-.*)?|cache-control|connection|dnt|host|if-.*|pragma|priority|range|referer|sec-.*|te|save-data|upgrade-insecure-requests|user-agent|via|x-forwarded-.*|akamai-.*|cdn-.*|cf-.*|cloudfront-.*|disguised-host|fastly-.*|fly-.*|front-end-https|incap-.*|max-forwards|surrogate-capability|was-default-hostname|x-akamai-.*|x-amz.*|x-appengine-.*|x-arr-.*|x-azure-.*|x-cdn-.*|x-edge-.*|x-envoy-.*|x-https|x-nf-.*|x-nginx-.*|x-original-.*|x-proxy-.*|x-railway-.*|x-scheme|x-site-deployment-id|x-ssl-.*|x-url-scheme|x-vercel-.*|x-waws-.*)$/
const maxOrdinaryLength = 512

/** Returns the fields of a request that an error may be due to, as text: those that differ between ordinary clients are left out. */
export function describeClient(headers: Headers): string {
  return JSON.stringify([headers.get('accept'), ...unusualFields(headers)])
}

/** Describes a client with and without the fields of a visitor, so that an error can be attributed to either. */
export function clientsOf(received: Received): readonly string[] {
  return [describeClient(received.request.headers), describeClient(anonymousHeaders(received))]
}

/**
 * Whether a request has any field that ordinary clients do not send.
 *
 * @param vary What the response varies by: these fields are the same for all whom it fits.
 */
export function hasUnusualFields(headers: Headers, vary?: Pick<StoredVary, 'names'>): boolean {
  return unusualFields(headers).some(([name]) => !vary?.names.includes(name))
}

/** Whether an error may be due to a field of a request for all: an unusual one that the response does not vary by. */
export function mayBeDueToClient({ request, vary }: Received, response: Headers): boolean {
  const received = parseVary(response.get('vary'))
  const selecting = { names: [...(vary?.names ?? []), ...(received === '*' ? [] : received)] }
  return hasUnusualFields(request.headers, selecting)
}

function unusualFields(headers: Headers): [name: string, value: string][] {
  const isOrdinary = (name: string) => ordinaryFields.test(name) || isOfClientAddress(name)
  return [...headers].filter(([name, value]) => !isOrdinary(name) || value.length > maxOrdinaryLength)
}
