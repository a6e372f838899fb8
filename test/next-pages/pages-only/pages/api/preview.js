export default function preview(_request, response) {
  response.setDraftMode({ enable: true })
  response.json({ preview: true })
}
