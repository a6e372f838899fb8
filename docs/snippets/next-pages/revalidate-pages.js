import { createBearerVerifier } from 'sitewright/revalidate'

const verify = createBearerVerifier(process.env.REVALIDATE_SECRET)
const paths = ['/', '/posts/a']

/** @type {import('next').NextApiHandler} */
export default async function handler(request, response) {
  if (verify?.(request.headers.authorization ?? null) !== true)
    return response.status(401).json({ revalidated: false })
  for (const path of paths) await response.revalidate(path)
  response.json({ revalidated: true })
}
