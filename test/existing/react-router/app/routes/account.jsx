import { Form, redirect } from 'react-router'
import { sessions } from '../notes.server.js'

export const headers = () => ({ 'Cache-Control': 'private, max-age=0' })

export async function loader({ request }) {
  const session = await sessions.getSession(request.headers.get('cookie'))
  return { name: session.get('name') ?? 'nobody' }
}

export async function action({ request }) {
  const session = await sessions.getSession(request.headers.get('cookie'))
  session.set('name', (await request.formData()).get('name'))
  return redirect('/account', { headers: { 'Set-Cookie': await sessions.commitSession(session) } })
}

export default function Account({ loaderData }) {
  return (
    <Form method="post">
      <p id="name">{loaderData.name}</p>
      <input name="name" />
      <button type="submit">Sign in</button>
    </Form>
  )
}
