export default { output: 'standalone', experimental: { cpus: 1 } }
