import { revalidateTag } from 'next/cache.js'

/**
 * Purges as a site’s own code does.
 *
 * @param {Request} request
 */
export async function POST(request) {
  const { tag, profile } = await request.json()
  revalidateTag(tag, profile)
  return Response.json({ queued: true })
}
