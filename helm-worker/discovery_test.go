// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"testing"
)

func widgetChart(t *testing.T) (string, string) {
	return packed(t, "widget", map[string]string{
		"Chart.yaml":            "{apiVersion: v2, name: widget, version: 1.0.0}",
		"templates/widget.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: {{ .Release.Name }}\n",
		"templates/known.yaml": manifestOf("known") +
			"data: {widgets: {{ .Capabilities.APIVersions.Has \"example.com/v1/Widget\" | quote }}}\n",
	})
}

func TestWhatIsKnownOfTheAPIIsConfirmedAndNotFetchedAgain(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)
	params := paramsFor(api, path, digest)
	c.done("install", params)
	known := c.server.clusters.byName["east"].discovery.load()
	asked := api.count("GET /apis")

	c.done("upgrade", params)
	c.done("rollback", with(params, "revision", 1))

	if now := c.server.clusters.byName["east"].discovery.load(); now != known {
		t.Error("the API was read again though it has not changed")
	}
	if more := api.count("GET /apis") - asked; more != 1 {
		t.Errorf("%d requests about the API, by an upgrade that renders and a rollback that does not", more)
	}
}

func TestAKindThatHasJustComeIsFoundAtTheFirstTry(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := widgetChart(t)
	c := greeted(t)
	params := paramsFor(api, path, digest)

	before := c.result(c.send("install", params))
	api.bringWidgets()
	after := c.done("install", params)

	if before.Status != statusFailed || !strings.Contains(before.Message, `no matches for kind "Widget" in version "example.com/v1"`) {
		t.Errorf("%s %q", before.Status, before.Message)
	}
	if !strings.Contains(after.Release.Manifest, `widgets: "true"`) {
		t.Errorf("rendered for an API of the past:\n%s", after.Release.Manifest)
	}
	if got := api.names("widgets"); len(got) != 1 {
		t.Errorf("widgets: %v", got)
	}
}

func TestAServerIsAskedOncePerKindWhetherItValidates(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)
	params := with(paramsFor(api, path, digest), "validate", true)

	c.done("install", params)
	first := api.seen("GET /openapi")
	c.done("upgrade", params)
	c.done("upgrade", params)

	if now := api.seen("GET /openapi"); first == 0 || now != first {
		t.Errorf("%d requests for schemas at first, %d in the end", first, now)
	}
}

func TestOperationsThatBeginTogetherReadASchemaOnce(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)
	params := with(paramsFor(api, path, digest), "validate", true)
	var ids []int64
	for i := range 6 {
		ids = append(ids, c.send("install", with(params, "release", fmt.Sprint("it", i))))
	}

	for _, id := range ids {
		if answer := c.result(id); answer.Status != statusDone {
			t.Errorf("%s %q", answer.Status, answer.Message)
		}
	}

	if got := api.count("GET /openapi/v3/api/v1"); got != 1 {
		t.Errorf("%d requests for one schema", got)
	}
}

func TestWithoutValidationNoSchemaIsRead(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)

	c.done("install", paramsFor(api, path, digest))

	if got := api.seen("GET /openapi"); got != 0 {
		t.Errorf("%d requests", got)
	}
}

func TestAForgottenClusterIsReadAgain(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := simpleChart(t)
	c := greeted(t)
	params := paramsFor(api, path, digest)
	c.done("install", params)
	known := c.server.clusters.byName["east"]

	c.send("forget", map[string]any{"cluster": "east"})
	c.done("upgrade", params)

	if now := c.server.clusters.byName["east"]; now == known || now.discovery.load() == known.discovery.load() {
		t.Error("something of the forgotten cluster was used")
	}
}

func TestLookupAsksTheCluster(t *testing.T) {
	api := newFakeAPI(t)
	path, digest := packed(t, "looking", map[string]string{
		"Chart.yaml": "{apiVersion: v2, name: looking, version: 1.0.0}",
		"templates/a.yaml": manifestOf("a") +
			"data: {found: {{ (lookup \"v1\" \"ConfigMap\" \"default\" \"it-one\").data.text | quote }}}\n",
	})
	simple, simpleDigest := simpleChart(t)
	c := greeted(t)
	c.done("install", paramsFor(api, simple, simpleDigest))

	looked := c.done("install", with(paramsFor(api, path, digest), "release", "looking"))

	if !strings.Contains(looked.Release.Manifest, `found: "given"`) {
		t.Errorf("rendered\n%s", looked.Release.Manifest)
	}
}
