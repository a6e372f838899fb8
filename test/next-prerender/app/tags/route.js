import { revalidateTag } from 'next/cache.js'

/**
 * Purges as a site’s own code does.
 *
 * @param {Request} request
 */
export async function POST(request) {
  revalidateTag(await request.text(), { expire: 0 })
  return new Response()
}
