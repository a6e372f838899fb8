// Gives Express 4 to a site that requires Express, for `node --require`.
const Module = require('node:module')

const { _resolveFilename } = Module
Module._resolveFilename = (name, ...rest) => _resolveFilename(name === 'express' ? 'express4' : name, ...rest)
