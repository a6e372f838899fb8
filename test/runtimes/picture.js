// An image service of a few lines: whatever the size, a picture of one pixel.
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** @type {(request: Request) => Promise<Response>} */
export const onePixel = async () => new Response(picture, { headers: { 'Content-Type': 'image/png' } })
