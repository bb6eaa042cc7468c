// The address of your Gatehouse server.
export const server = { scheme: 'http', host: 'localhost', port: 8080 }
