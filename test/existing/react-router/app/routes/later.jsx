import { Suspense } from 'react'
import { Await, data } from 'react-router'
import { forAll } from '../notes.server.js'

export const headers = ({ loaderHeaders }) => loaderHeaders
export const loader = () =>
  data(
    { text: new Promise((resolve) => setTimeout(() => resolve('deferred: größer'), 50)) },
    { headers: forAll('later') },
  )

export default function Later({ loaderData }) {
  return (
    <Suspense fallback={<p>wait</p>}>
      <Await resolve={loaderData.text}>{(text) => <p>{text}</p>}</Await>
    </Suspense>
  )
}
