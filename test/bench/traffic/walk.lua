-- Walks a file of requests, METHOD TAB PATH TAB BODY in each line, and starts again at its end. They are put into bytes
-- before the run, so that wrk costs the same whatever it asks for. At the end it prints exact numbers as a line of JSON.
local requests = {}
local at = 0

function init(args)
  local key = wrk.headers["Authorization"]
  for line in io.lines(args[1]) do
    local method, path, body = line:match("^(%S+)\t(%S+)\t(.*)$")
    if body == "" then
      requests[#requests + 1] = wrk.format(method, path, { Authorization = key })
    else
      local headers = { Authorization = key, ["Content-Type"] = "application/json" }
      requests[#requests + 1] = wrk.format(method, path, headers, body)
    end
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nresult {"requests":%d,"bytes":%d,"microseconds":%d,"p50":%d,"p99":%d,"refused":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}\n',
    summary.requests, summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect, errors.read, errors.write, errors.timeout))
end
