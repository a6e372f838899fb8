import { render } from '../content.js'

export const dynamic = 'force-static'

export async function GET() {
  return new Response(await render('data'))
}
