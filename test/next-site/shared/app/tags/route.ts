import { revalidateTag } from 'next/cache'

/** Purges as a site’s own code does. */
export async function POST(request: Request) {
  const { tag, profile } = await request.json()
  revalidateTag(tag, profile)
  return Response.json({ queued: true })
}
