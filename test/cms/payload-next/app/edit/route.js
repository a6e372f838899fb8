import { payloadTags } from '../../../../../docs/snippets/next-payload/tags'
import { startPayload } from '../../payload.js'

/**
 * Calls a function of Payload.
 *
 * @param {Request} request
 */
export async function POST(request) {
  const { name, args } = await request.json()
  const payload = await startPayload([payloadTags])
  const jobs = /^(?:queue|run)$/.test(name)
  return Response.json(await (jobs ? payload.jobs : payload)[name](args))
}
