import { render } from './content.js'

export default async function Page() {
  return <p>{await render('home')}</p>
}
