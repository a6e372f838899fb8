import { Form, redirect } from 'react-router'
import { forAll, names } from '../notes.server.js'

export const headers = ({ loaderHeaders }) => loaderHeaders
export const loader = () => Response.json({ names }, { headers: forAll('names') })

export async function action({ request }) {
  const form = await request.formData()
  // A field that people do not see, and programs fill in.
  if (form.get('address')) throw new Response('Refused', { status: 400 })
  names.push(form.get('name'))
  return redirect('/who')
}

export default function Who({ loaderData }) {
  return (
    <Form method="post">
      <ul id="names">{loaderData.names.join()}</ul>
      <input name="name" />
      <input name="address" hidden />
      <button type="submit">Add</button>
    </Form>
  )
}
