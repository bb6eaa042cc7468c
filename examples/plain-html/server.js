// The address of your Gatehouse server.
window.gatehouseServer = { scheme: 'http', host: 'localhost', port: 8080 }
