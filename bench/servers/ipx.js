import { createServer } from 'node:http'
import { createIPX, createIPXNodeServer, ipxFSStorage } from 'ipx'

const ipx = createIPX({ storage: ipxFSStorage({ dir: process.env.MEDIA }) })
createServer(createIPXNodeServer(ipx)).listen(process.env.PORT, '127.0.0.1')
