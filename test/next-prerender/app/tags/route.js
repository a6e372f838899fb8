import { revalidateTag } from 'next/cache.js'

/**
 * Purges as a site’s own code does: hard, or with a profile.
 *
 * @param {Request} request
 */
export async function POST(request) {
  const profile = new URL(request.url).searchParams.get('profile')
  revalidateTag(await request.text(), profile ?? { expire: 0 })
  return new Response()
}
