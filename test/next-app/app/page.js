import { readText } from './read.js'

export default async function Page() {
  return <p>{await readText()}</p>
}
