import { readText } from './read'

export default async function Page() {
  return <p>{await readText()}</p>
}
