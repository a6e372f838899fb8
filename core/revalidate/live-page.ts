import { htmlPage } from '../html-page.js'

const style = `
label { display: block; margin: 0 0 1rem }
input { display: block; box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .625rem .75rem; font: inherit;
  border: 1px solid light-dark(#767676, #949494); border-radius: .375rem; background: light-dark(#fff, #1e2128); color: inherit }
output { display: block; margin-top: 1rem; padding-top: 1rem; border-top: 1px solid light-dark(#d4d4d4, #454545); overflow-wrap: anywhere }
output p { margin: 0 0 .5rem }
output p:first-child { font-weight: 600 }
dl { margin: 1rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { color: light-dark(#595959, #b0b0b0) }
dd { margin: 0 }
`

// The script writes texts only, never HTML, because tags and paths may hold anything.
const script = `
const [form] = document.forms
const output = document.querySelector('output')
const say = {
  fresh: 'Live: visitors get the stored page.',
  stale: 'Old: the next visit renders the page anew.',
  purged: 'Purged: the next visit renders the page anew.',
  missing: 'Not stored: each visit renders the page.',
  unknown: 'The list of purges does not answer: each visit renders the page.',
}
const add = (parent, name, text) => parent.appendChild(Object.assign(document.createElement(name), { textContent: text }))
const time = (text) => new Date(text).toLocaleString()
const ask = async (method, isPurge) => {
  const { address, secret, purge } = form.elements
  const page = new URL(address.value, location.href)
  const url = location.pathname + '?' + new URLSearchParams({ path: page.pathname + (isPurge ? '' : page.search) })
  const headers = { Authorization: 'Bearer ' + secret.value, Accept: 'application/json' }
  const response = await fetch(url, { method, headers, cache: 'no-store' })
  return { page, answer: await response.json() }
}
const show = async () => {
  const { page, answer } = await ask('GET')
  output.replaceChildren()
  add(output, 'p', answer.error || say[answer.state])
  if (answer.error) return
  const list = document.createElement('dl')
  const row = (name, value) => value && (add(list, 'dt', name), add(list, 'dd', value))
  row('Page', page.pathname + page.search)
  row('Status', answer.status)
  row('Rendered', answer.renderedAt && time(answer.renderedAt))
  row('Fresh until', answer.state === 'fresh' && time(answer.freshUntil))
  row('Made of', answer.tags && answer.tags.join(', '))
  row('Last purge', answer.lastPurge && time(answer.lastPurge.at) + ', by ' + answer.lastPurge.tags.join(', '))
  output.append(list)
  form.elements.purge.disabled = false
}
form.onsubmit = async (event) => {
  event.preventDefault()
  for (const button of form.querySelectorAll('button')) button.disabled = true
  output.textContent = 'Asking …'
  try {
    const isPurge = event.submitter && event.submitter.name === 'purge'
    const { answer } = isPurge ? await ask('POST', true) : { answer: {} }
    await show()
    if (isPurge) output.prepend(Object.assign(document.createElement('p'), { textContent: answer.error || 'Purged now.' }))
  } catch (error) {
    output.textContent = 'No answer: ' + error.message
  }
  form.elements.look.disabled = false
}
`

const body = `
<form>
<label>Address of the page <input name="address" required autocomplete="off" placeholder="/articles/boats" autofocus></label>
<label>Secret <input name="secret" type="password" required autocomplete="current-password"></label>
<button name="look">Look</button> <button name="purge" disabled>Purge this page</button>
</form>
<output role="status"></output>
`

/** Creates the page on which an editor sees whether a page is live, and purges it. It holds no secret. */
export function createLivePage(): Promise<Response> {
  const policy = "connect-src 'self'; form-action 'none'; frame-ancestors 'none'"
  return htmlPage(200, 'Is it live?', body, policy, { style, script })
}
