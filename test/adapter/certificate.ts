import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** Creates a key and a certificate for 127.0.0.1 signed with it, both as PEM, valid for a day (RFC 5280, section 4.1). */
export function createCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('test')))))
  const algorithm = sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])))
  const day = 86_400_000
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    algorithm,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, address)))), // subjectAltName
  )
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature(body, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

const signature = (body: Buffer, key: KeyObject) => sign('sha256', body, key)

function der(tag: number, ...content: Buffer[]): Buffer {
  const bytes = Buffer.concat(content)
  const { length } = bytes
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), bytes])
}

const sequence = (...content: Buffer[]) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

/** UTCTime, `YYMMDDhhmmssZ`. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}
