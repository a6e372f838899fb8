export default { preset: 'node-server', builder: 'rolldown', serverEntry: './server.js' }
