-- Sends the requests of a file, METHOD TAB PATH TAB BODY in each line, and starts again at its end. The requests are formatted
-- before the run, so that the cost of wrk does not depend on them. A second file has a key in each line, and each request uses
-- the next key. At the end the script prints exact numbers as a line of JSON.
local requests = {}
local at = 0

function init(args)
  local keys = {}
  for key in io.lines(args[2] or "/dev/null") do keys[#keys + 1] = "Bearer " .. key end
  if #keys == 0 then keys[1] = wrk.headers["Authorization"] end
  for line in io.lines(args[1]) do
    local key = keys[#requests % #keys + 1]
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
