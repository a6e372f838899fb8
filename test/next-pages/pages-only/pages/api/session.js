export default function session(request, response) {
  response.setHeader('Set-Cookie', 'session=1; Path=/')
  response.json({ name: request.cookies.session ? 'Ada' : null })
}
