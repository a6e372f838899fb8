import { Link } from 'react-router'
import { forAll, names } from '../notes.server.js'

export const headers = ({ loaderHeaders }) => loaderHeaders
export const loader = ({ context }) =>
  Response.json({ count: names.length, greeting: context.greeting }, { headers: forAll('names') })

export default function Home({ loaderData }) {
  return (
    <p>
      {loaderData.greeting} <Link to="/who">{loaderData.count} names</Link>
    </p>
  )
}
