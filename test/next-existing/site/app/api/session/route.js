import { cookies } from 'next/headers'

export async function GET() {
  const store = await cookies()
  const name = store.get('session') ? 'Ada' : null
  store.set('session', '1')
  return Response.json({ name })
}
