import { packageFiles } from 'sitewright/node'

const files = packageFiles()
export const GET = async ({ request }) => (await files(request)) ?? new Response('Not found', { status: 404 })
